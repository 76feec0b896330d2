package io.lazuli.transfer.entity;

/** The key of an entity. */
public record Key(String partition, String row) {}
