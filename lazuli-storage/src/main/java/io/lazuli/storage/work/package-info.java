/** Shares the background work of a store among the servers that use it. */
@NullMarked
package io.lazuli.storage.work;

import org.jspecify.annotations.NullMarked;
