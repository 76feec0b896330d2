/** Trouble on purpose: the server behaves as badly as Azure is allowed to, when it is asked to. */
@NullMarked
package io.lazuli.server.rehearsal;

import org.jspecify.annotations.NullMarked;
