/** Storage accounts: their keys, the accounts file, and the accounts that a server knows now. */
@NullMarked
package io.lazuli.server.account;

import org.jspecify.annotations.NullMarked;
