/** Records and chunks as files of a cut that do not depend on the files of an engine. */
@NullMarked
package io.lazuli.storage.segment;

import org.jspecify.annotations.NullMarked;
