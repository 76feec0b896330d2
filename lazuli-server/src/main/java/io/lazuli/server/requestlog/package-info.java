/** Request logs in the format of Storage Analytics, stored as append blobs of the account. */
@NullMarked
package io.lazuli.server.requestlog;

import org.jspecify.annotations.NullMarked;
