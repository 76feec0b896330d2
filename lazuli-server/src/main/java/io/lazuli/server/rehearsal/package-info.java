/** Trouble on purpose: on request, the server behaves as badly as Azure is allowed to. */
@NullMarked
package io.lazuli.server.rehearsal;

import org.jspecify.annotations.NullMarked;
