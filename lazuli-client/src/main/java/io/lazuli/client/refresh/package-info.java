/** Values that are fetched now and then, once for all who ask. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.refresh;
