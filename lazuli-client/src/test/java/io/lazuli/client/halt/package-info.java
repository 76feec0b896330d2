/**
 * Random use of every pattern by processes that halt before or after a random request, and checks
 * of what they leave.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.halt;
