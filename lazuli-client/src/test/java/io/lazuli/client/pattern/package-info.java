/** Tests of what all patterns share. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern;
