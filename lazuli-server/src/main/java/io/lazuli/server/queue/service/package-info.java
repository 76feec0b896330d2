/** The rules of the queue service. */
@NullMarked
package io.lazuli.server.queue.service;

import org.jspecify.annotations.NullMarked;
