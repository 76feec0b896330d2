/** What checks of stored data report, and the checks that services offer for their spaces. */
@NullMarked
package io.lazuli.server.check;

import org.jspecify.annotations.NullMarked;
