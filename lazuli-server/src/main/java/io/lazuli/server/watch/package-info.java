/** Watches files that change while the server runs. */
@NullMarked
package io.lazuli.server.watch;

import org.jspecify.annotations.NullMarked;
