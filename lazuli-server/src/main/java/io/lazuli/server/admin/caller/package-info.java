/** Who sends requests to the admin port. */
@NullMarked
package io.lazuli.server.admin.caller;

import org.jspecify.annotations.NullMarked;
