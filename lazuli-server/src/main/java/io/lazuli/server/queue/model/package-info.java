/** Names, messages and errors of the queue service. */
@NullMarked
package io.lazuli.server.queue.model;

import org.jspecify.annotations.NullMarked;
