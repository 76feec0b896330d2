/** Writes Java code for proposals, on lazuli-client. */
@NullMarked
package io.lazuli.server.design.code;

import org.jspecify.annotations.NullMarked;
