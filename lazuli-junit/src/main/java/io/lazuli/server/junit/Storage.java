package io.lazuli.server.junit;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a server keeps its data, and how well.
 *
 * @param engine by the name that the server's configuration has for it
 * @param folder none for a temporary one
 */
record Storage(String engine, @Nullable Path folder, Durability durability) {}
