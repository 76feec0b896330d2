/** The client library: see the packages below it, each for one thing a user wants to do. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client;
