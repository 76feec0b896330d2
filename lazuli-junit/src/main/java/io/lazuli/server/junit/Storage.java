package io.lazuli.server.junit;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a server keeps its data, and how durably.
 *
 * @param engine the name of the engine in the server's configuration
 * @param folder null for a temporary folder
 */
record Storage(String engine, @Nullable Path folder, Durability durability) {}
