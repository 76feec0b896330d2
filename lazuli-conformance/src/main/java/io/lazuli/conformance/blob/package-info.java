/** What the blob service must do, case by case, through raw requests and the official clients. */
@NullMarked
package io.lazuli.conformance.blob;

import org.jspecify.annotations.NullMarked;
