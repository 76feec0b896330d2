/** Who may use the console: sign-in, sessions and roles. */
@NullMarked
package io.lazuli.server.console.session;

import org.jspecify.annotations.NullMarked;
