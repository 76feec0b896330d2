/** The kinds of jobs. */
@NullMarked
package io.lazuli.server.job.kind;

import org.jspecify.annotations.NullMarked;
