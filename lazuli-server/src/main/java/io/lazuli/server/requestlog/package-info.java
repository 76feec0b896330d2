/** Request logs in the form of Storage Analytics, kept as append blobs of the account. */
@NullMarked
package io.lazuli.server.requestlog;

import org.jspecify.annotations.NullMarked;
