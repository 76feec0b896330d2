/**
 * The rules of the blob service: bodies of transactions on a blob's partition, and plain functions
 * on what they store.
 */
@NullMarked
package io.lazuli.server.blob.service;

import org.jspecify.annotations.NullMarked;
