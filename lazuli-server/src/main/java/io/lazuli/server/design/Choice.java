package io.lazuli.server.design;

/** A pattern that a proposal uses, and why. */
public record Choice(GuidePattern pattern, String entity, String reason) {}
