/** The audit: one line for each change of data or access, in a file of JSON lines. */
@NullMarked
package io.lazuli.server.audit;

import org.jspecify.annotations.NullMarked;
