package io.lazuli.server.catalog;

import io.lazuli.storage.Space;

/**
 * A name and the space that it stands for.
 *
 * @param name the name as it was created
 */
public record CatalogEntry(String name, Space space) {}
