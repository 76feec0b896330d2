/** Tests that concern all patterns. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern;
