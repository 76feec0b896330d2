/** The caller of a request and what it may do. */
@NullMarked
package io.lazuli.server.access;

import org.jspecify.annotations.NullMarked;
