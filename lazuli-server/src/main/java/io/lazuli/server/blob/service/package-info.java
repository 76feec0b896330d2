/** The rules of the blob service. */
@NullMarked
package io.lazuli.server.blob.service;

import org.jspecify.annotations.NullMarked;
