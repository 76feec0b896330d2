package io.lazuli.storage;

import java.nio.file.Path;

/**
 * A damaged place in the files of an engine.
 *
 * @param file the damaged file, which may be missing
 * @param offset where the damage begins in the file
 * @param problem one sentence for an operator, without its full stop
 */
public record StoredDamage(Path file, long offset, String problem) {}
