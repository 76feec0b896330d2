package io.lazuli.server.catalog;

import io.lazuli.storage.Space;

/**
 * A name and the space it stands for.
 *
 * @param name as it was given at creation
 */
public record CatalogEntry(String name, Space space) {}
