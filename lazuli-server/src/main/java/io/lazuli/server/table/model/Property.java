package io.lazuli.server.table.model;

/** A property of an entity, other than its keys and its timestamp. */
public record Property(String name, EdmValue value) {}
