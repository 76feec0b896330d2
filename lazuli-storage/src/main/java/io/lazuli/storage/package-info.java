/**
 * The storage interface below all three services: ordered records, atomic within a partition.
 *
 * <p>It is one package, although it has more than 30 types, because they refer to each other.
 */
@NullMarked
package io.lazuli.storage;

import org.jspecify.annotations.NullMarked;
