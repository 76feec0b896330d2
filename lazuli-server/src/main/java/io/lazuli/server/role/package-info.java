/** Roles: who may do what with a token. */
@NullMarked
package io.lazuli.server.role;

import org.jspecify.annotations.NullMarked;
