/** User delegation keys: keys that callers with tokens may sign with (blob-features 9.4). */
@NullMarked
package io.lazuli.server.delegation;

import org.jspecify.annotations.NullMarked;
