#!/usr/bin/env node
'use strict';

require('./lazuli.js');
