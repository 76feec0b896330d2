/** Cases with many clients at once, and long random histories against a model. */
@NullMarked
package io.lazuli.conformance.concurrency;

import org.jspecify.annotations.NullMarked;
