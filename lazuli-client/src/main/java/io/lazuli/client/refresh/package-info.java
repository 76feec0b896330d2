/** Values that are fetched again when they get old, with one fetch for all callers. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.refresh;
