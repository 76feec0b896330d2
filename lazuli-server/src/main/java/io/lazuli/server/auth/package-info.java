/** Authenticates requests: shared keys, shared access signatures and anonymous access. */
@NullMarked
package io.lazuli.server.auth;

import org.jspecify.annotations.NullMarked;
