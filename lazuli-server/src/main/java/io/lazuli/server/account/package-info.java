/** Storage accounts and who is calling. */
@NullMarked
package io.lazuli.server.account;

import org.jspecify.annotations.NullMarked;
