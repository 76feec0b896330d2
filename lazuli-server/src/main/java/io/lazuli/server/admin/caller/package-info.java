/** The callers of the admin port, and what they may do. */
@NullMarked
package io.lazuli.server.admin.caller;

import org.jspecify.annotations.NullMarked;
