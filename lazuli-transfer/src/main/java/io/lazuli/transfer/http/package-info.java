/** Requests to the services of an account: addresses, signatures, repetitions. */
@NullMarked
package io.lazuli.transfer.http;

import org.jspecify.annotations.NullMarked;
