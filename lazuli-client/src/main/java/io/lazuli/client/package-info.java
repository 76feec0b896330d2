/** The client library. Each subpackage serves one purpose. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client;
