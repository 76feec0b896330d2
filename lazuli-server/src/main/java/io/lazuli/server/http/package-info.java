/** Requests, responses, and the one way between them. */
@NullMarked
package io.lazuli.server.http;

import org.jspecify.annotations.NullMarked;
