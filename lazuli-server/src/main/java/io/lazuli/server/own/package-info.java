/** Tables in which the server keeps what is its own. */
@NullMarked
package io.lazuli.server.own;

import org.jspecify.annotations.NullMarked;
