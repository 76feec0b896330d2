/** Entities in files, as {@code lazuli export} writes them: JSON Lines and CSV. */
@NullMarked
package io.lazuli.server.job.file;

import org.jspecify.annotations.NullMarked;
