/** Entities and their values, and their JSON. */
@NullMarked
package io.lazuli.transfer.entity;

import org.jspecify.annotations.NullMarked;
