/** Code of others that runs without a caller: none of its failures may go unnoticed. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.background;
