/** Splits and merges of regions, for the tests of several packages. */
@org.jspecify.annotations.NullMarked
package io.lazuli.storage.hbase.regions;
