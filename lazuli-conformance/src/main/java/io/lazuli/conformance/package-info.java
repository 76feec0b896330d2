/**
 * What a conformance run needs besides the cases: the account under test, the server process that
 * serves it when no other endpoint is given, and the evidence that every case carries.
 */
@NullMarked
package io.lazuli.conformance;

import org.jspecify.annotations.NullMarked;
