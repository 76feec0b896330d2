/** What happened, for whoever listens. */
@NullMarked
package io.lazuli.server.event;

import org.jspecify.annotations.NullMarked;
