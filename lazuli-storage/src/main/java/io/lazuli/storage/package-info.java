/** The storage interface: ordered records, atomic within a partition, under all three services. */
@NullMarked
package io.lazuli.storage;

import org.jspecify.annotations.NullMarked;
